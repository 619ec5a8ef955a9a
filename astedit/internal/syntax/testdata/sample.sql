-- Orders
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  name VARCHAR(20) NOT NULL DEFAULT 'none',
  total NUMERIC(10, 2)
);
INSERT INTO orders (id, name) VALUES (1, 'a'), (2, 'it''s');
SELECT o.id, count(*) AS n, upper(o.name) FROM orders AS o
  LEFT JOIN lines l ON l.order_id = o.id
  WHERE o.total > 10 AND o.name LIKE 'a%' OR o.id IN (1, 2, 3)
  GROUP BY o.id HAVING count(*) > 1 ORDER BY n DESC LIMIT 10;
select coalesce(a, b) from t where a is not null and b between 1 and 2;
UPDATE orders SET total = total + 1, name = lower(name) WHERE id = 1;
DELETE FROM orders WHERE id = 3;
CREATE INDEX idx ON orders (name);
ALTER TABLE orders ADD COLUMN state TEXT;
DROP TABLE lines;
/* a view */
CREATE VIEW v AS SELECT id FROM orders UNION SELECT id FROM old;
WITH x AS (SELECT 1 AS a) SELECT CASE WHEN a = 1 THEN 'one' ELSE "two" END FROM x;

CREATE FUNCTION f() RETURNS INTEGER LANGUAGE sql COST 1000 ROWS 10 AS 'select 1';
