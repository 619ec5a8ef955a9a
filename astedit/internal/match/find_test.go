package match

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Wherever the rarest byte stands and however common it is in the source, find
// finds what bytes.Index finds.
func TestFind_IsIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 20_000 {
		letters := []byte("aabbcN(\n")[:1+r.IntN(8)]
		random := func(n int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = letters[r.IntN(len(letters))]
			}
			return b
		}
		source, text := random(r.IntN(400)), random(1+r.IntN(6))
		from := r.IntN(len(source) + 1)
		l := literal{text: text, rare: rarestByte(text)}
		want := bytes.Index(source[from:], text)
		if want >= 0 {
			want += from
			found++
		}
		if got := l.find(source, from); got != want {
			t.Fatalf("%q from %d in %q: %d, want %d", text, from, source, got, want)
		}
	}
	if found == 0 || found == 20_000 {
		t.Error("the texts tried nothing")
	}
}

func TestRarestByte(t *testing.T) {
	for text, want := range map[string]byte{"thisNameIsNowhere": 'N', "isinstance": 'c', "strings.Replace": 'R', "(": '('} {
		if got := text[rarestByte([]byte(text))]; got != want {
			t.Errorf("%s: %c, want %c", text, got, want)
		}
	}
}
