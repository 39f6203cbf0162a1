CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL, stock INTEGER NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, placed TEXT NOT NULL);
CREATE TABLE order_items (order_id INTEGER NOT NULL REFERENCES orders, product_id INTEGER NOT NULL REFERENCES products, quantity INTEGER NOT NULL);
INSERT INTO customers VALUES (1, 'Ada', 'Leeds'), (2, 'Boris', 'York'), (3, 'Chen', 'Leeds'), (4, 'Dora', 'Hull'), (5, 'Emil', 'York');
INSERT INTO products VALUES (1, 'kettle', 35, 12), (2, 'lamp', 20, 0), (3, 'rug', 80, 3), (4, 'clock', 15, 40), (5, 'chair', 60, 7);
INSERT INTO orders VALUES (1, 1, '2026-01-04'), (2, 1, '2026-02-11'), (3, 2, '2026-02-12'), (4, 3, '2026-03-01'), (5, 4, '2026-03-05'), (6, 2, '2026-03-09');
INSERT INTO order_items VALUES (1, 1, 1), (1, 4, 2), (2, 3, 1), (3, 2, 4), (4, 5, 2), (4, 1, 1), (5, 4, 1), (6, 3, 2);
