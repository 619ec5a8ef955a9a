package session

import "testing"

func TestChangesAreKeptWhileARunIsAtWork(t *testing.T) {
	c := changes{at: map[string]uint64{}}
	c.note("a")
	first := c.begin()
	at := c.note("b")
	second := c.begin()
	if got, ok := c.after("b", first); !ok || got != at {
		t.Errorf("b during the first run: %d, %v", got, ok)
	}
	for name, since := range map[string]uint64{"a": first, "b": second} {
		if _, ok := c.after(name, since); ok {
			t.Errorf("%s changed before the run, not after", name)
		}
	}
	c.end() // whichever of the two that is
	if _, ok := c.after("b", first); !ok {
		t.Error("b is forgotten while a run is at work")
	}
	c.end()
	if c.note("d"); len(c.at) != 0 {
		t.Errorf("%v kept with no run at work", c.at)
	}
}
