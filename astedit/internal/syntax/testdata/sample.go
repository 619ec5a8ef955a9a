// Package sample holds a bit of everything.
package sample

import (
	"fmt"
	str "strings"
)

const limit, name = 10, `raw "text"`

// Order is an order.
type Order[T any] struct {
	Name  string `json:"name"`
	Lines []T
	count int
}

type Priced interface {
	Price() (int, error)
}

func (o *Order[T]) Add(line T, rest ...T) (ok bool, err error) {
	if n := len(o.Lines); n >= limit || o == nil {
		return false, fmt.Errorf("full: %d\n", n)
	}
	o.Lines = append(o.Lines, line)
	for i, l := range rest {
		o.count += i << 2
		defer fmt.Println(l, 'c', 1.5)
	}
	switch x := any(line).(type) {
	case Priced:
		p, _ := x.Price()
		fmt.Println(p)
	case nil, string:
		goto done
	default:
		go func() { _ = map[string]int{"a": 1} }()
	}
done:
	ch := make(chan int, 1)
	select {
	case ch <- 1:
	case v, open := <-ch:
		return v > 0 && open, nil
	}
	return str.HasPrefix(o.Name, "x"), nil
}
