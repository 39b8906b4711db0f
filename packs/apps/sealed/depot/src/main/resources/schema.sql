create table article (
  sku varchar(20) primary key,
  name varchar(80) not null,
  kg decimal(8, 3)
);
create table stock (
  sku varchar(20) not null references article,
  location varchar(10) not null,
  quantity int not null check (quantity >= 0),
  primary key (sku, location)
);
create table pick_order (
  id int primary key,
  customer varchar(40) not null,
  tour varchar(20) not null,
  state varchar(10) not null
);
create table order_line (
  order_id int not null references pick_order,
  line int not null,
  sku varchar(20) not null references article,
  quantity int not null,
  primary key (order_id, line)
);
