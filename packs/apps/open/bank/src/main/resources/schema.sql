create table product (
  code varchar(10) primary key,
  name varchar(80) not null,
  rate_bp int not null,
  day_count varchar(10) not null
);
create table account (
  iban varchar(34) primary key,
  owner varchar(80) not null,
  product varchar(10) not null references product(code),
  status varchar(10) not null,
  balance bigint not null,
  accrued bigint not null
);
create table booking (
  id bigint auto_increment primary key,
  iban varchar(34) not null references account(iban),
  reference varchar(40) not null,
  booked_on date not null,
  cents bigint not null,
  constraint uq_booking unique (iban, reference)
);
create table standing_order (
  id bigint primary key,
  from_iban varchar(34) not null references account(iban),
  to_iban varchar(34) not null references account(iban),
  cents bigint not null,
  rhythm varchar(10) not null,
  next_on date not null
);
create table transfer (
  id bigint primary key,
  from_iban varchar(34) not null,
  to_iban varchar(34) not null,
  cents bigint not null,
  done boolean not null
);
