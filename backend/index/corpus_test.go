package index

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"
)

// corpus makes conversations of any size, the same ones each time: words as often as words are, Chinese and Japanese, and code.
type corpus struct {
	random *rand.Rand
	words  []string
	zipf   *rand.Zipf
	han    []rune
}

func newCorpus() *corpus {
	c := &corpus{random: rand.New(rand.NewPCG(1, 2))}
	parts := []string{"ka", "ter", "in", "mo", "re", "sol", "vi", "an", "per", "ti", "lo", "con", "de", "str", "ble", "ing", "qu", "ox", "pha", "zy", "un", "mer", "est", "gra", "fy"}
	known := map[string]bool{}
	for len(c.words) < 60_000 {
		var w strings.Builder
		for range 1 + c.random.IntN(4) {
			w.WriteString(parts[c.random.IntN(len(parts))])
		}
		if known[w.String()] {
			fmt.Fprintf(&w, "%d", c.random.IntN(5000))
		}
		known[w.String()] = true
		c.words = append(c.words, w.String())
	}
	c.zipf = rand.NewZipf(c.random, 1.07, 2, uint64(len(c.words)-1))
	for r := rune(0x4E00); r < 0x4E00+3000; r++ {
		c.han = append(c.han, r)
	}
	c.random.Shuffle(len(c.han), func(i, j int) { c.han[i], c.han[j] = c.han[j], c.han[i] })
	return c
}

func (c *corpus) word() string { return c.words[c.zipf.Uint64()] }

func (c *corpus) prose(w *strings.Builder, size int) {
	for w.Len() < size {
		w.WriteString(c.word())
		w.WriteString([]string{" ", " ", " ", " ", ", ", ". ", "\n"}[c.random.IntN(7)])
	}
}

func (c *corpus) chinese(w *strings.Builder, size int) {
	for w.Len() < size {
		n := c.random.ExpFloat64() * 200
		w.WriteRune(c.han[min(int(n), len(c.han)-1)])
		if c.random.IntN(12) == 0 {
			w.WriteString("，")
		}
	}
}

func (c *corpus) code(w *strings.Builder, size int) {
	for w.Len() < size {
		switch c.random.IntN(4) {
		case 0:
			fmt.Fprintf(w, "\tif err := %s.%s(ctx, %d); err != nil {\n", c.word(), c.word(), c.random.IntN(1000))
		case 1:
			fmt.Fprintf(w, "/home/dev/src/%s/%s_%s.go:%d: %q\n", c.word(), c.word(), c.word(), c.random.IntN(900), c.word())
		case 2:
			fmt.Fprintf(w, "{\"%s\": %d, \"id\": \"%08x\"}\n", c.word(), c.random.IntN(100_000), c.random.Uint32())
		default:
			fmt.Fprintf(w, "func (%c *%s) %s() (%s, error) { return f(x)[%d] }\n", 'a'+rune(c.random.IntN(26)), c.word(), c.word(), c.word(), c.random.IntN(99))
		}
	}
}

// session is a conversation of about size bytes.
func (c *corpus) session(size int) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		if !yield(Text{Seq: -1, Line: -1, Scope: Name, Text: c.word() + " " + c.word()}) {
			return
		}
		at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
		for line, done := 0, 0; done < size; line++ {
			t := Text{Seq: int64(line), Line: line, Time: at.Add(time.Duration(line) * time.Second)}
			length := 100 + int(c.random.ExpFloat64()*700)
			var w strings.Builder
			switch kind := c.random.IntN(20); {
			case kind < 2:
				t.Scope = User
				c.prose(&w, length/3)
			case kind < 4:
				t.Scope = Assistant
				c.chinese(&w, length)
			case kind < 8:
				t.Scope = Assistant
				c.prose(&w, length)
			case kind < 10:
				t.Scope = Thinking
				c.prose(&w, length)
			case kind < 14:
				t.Scope, t.Tool = Call, "bash"
				c.code(&w, length/2)
			default:
				t.Scope, t.Tool = Output, []string{"bash", "read"}[kind%2]
				c.code(&w, length*3)
			}
			t.Text = w.String()
			done += len(t.Text)
			if !yield(t) {
				return
			}
		}
	}
}
