package org.lindenhof.clinic.domain;

import java.util.ArrayList;
import java.util.List;

public class Appointment {

    public enum State { BOOKED, CHECKED_IN, DONE, CANCELLED }

    private final int id;
    private final Patient patient;
    private final String practitioner;
    private final Treatment treatment;
    private final List<Referral> referrals = new ArrayList<>();
    private TimeSlot slot;
    private State state = State.BOOKED;

    public Appointment(int id, Patient patient, String practitioner, Treatment treatment, TimeSlot slot) {
        this.id = id;
        this.patient = patient;
        this.practitioner = practitioner;
        this.treatment = treatment;
        this.slot = slot;
    }

    public int id() {
        return id;
    }

    public Patient patient() {
        return patient;
    }

    public String practitioner() {
        return practitioner;
    }

    public Treatment treatment() {
        return treatment;
    }

    public TimeSlot slot() {
        return slot;
    }

    public State state() {
        return state;
    }

    public List<Referral> referrals() {
        return referrals;
    }

    public void refer(Referral referral) {
        referrals.add(referral);
    }

    public void checkIn() {
        requireBooked("checked in");
        state = State.CHECKED_IN;
    }

    public void finish() {
        if (state != State.CHECKED_IN) {
            throw new IllegalStateException("appointment " + id + " is " + state + ", cannot be finished");
        }
        state = State.DONE;
    }

    public void cancel() {
        requireBooked("cancelled");
        state = State.CANCELLED;
    }

    public void moveTo(TimeSlot other) {
        requireBooked("moved from " + slot + " to " + other);
        slot = other;
    }

    private void requireBooked(String what) {
        if (state != State.BOOKED) {
            throw new IllegalStateException("appointment " + id + " is " + state + ", cannot be " + what);
        }
    }
}
