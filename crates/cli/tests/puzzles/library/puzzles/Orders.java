package puzzles;

import java.util.List;

/** Objects that must agree. */
public class Orders {
    public static class Address {
        private final String city;
        private String country;

        public Address(String city) {
            this.city = city;
        }

        public void setCountry(String country) {
            this.country = country;
        }

        public String getCountry() {
            return country;
        }

        public String getCity() {
            return city;
        }
    }

    public static class Customer {
        private final Address address;
        private final int level;

        public Customer(Address address, int level) {
            this.address = address;
            this.level = level;
        }

        public Address getAddress() {
            return address;
        }

        public int getLevel() {
            return level;
        }
    }

    private final Customer customer;

    public Orders(Customer customer) {
        this.customer = customer;
    }

    public String label() {
        if (customer.getLevel() > 3 && customer.getAddress().getCity().startsWith("Be")) {
            return country();
        }
        return "";
    }

    private String country() {
        return customer.getAddress().getCountry().trim();
    }

    public static int total(List<Integer> amounts) {
        int sum = 0;
        for (Integer amount : amounts) {
            sum += amount;
        }
        return sum;
    }
}
