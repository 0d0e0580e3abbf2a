package many

import "unsafe"

// Texts is a list of short texts. The zero value is empty.
type Texts struct {
	// bytes are those of all texts, one behind the other, some at a time: a list has something in memory for each of its parts.
	bytes List[chunk]
	size  int64
	ends  List[int64]
}

type chunk [16]byte

// Len is how many there are.
func (t *Texts) Len() int { return t.ends.Len() }

// Add puts one at the end.
func (t *Texts) Add(text string) {
	for len(text) > 0 {
		at := int(t.size % int64(len(chunk{})))
		if at == 0 {
			t.bytes.Add(chunk{})
		}
		last := t.bytes.At(t.bytes.Len() - 1)
		n := copy(last[at:], text)
		t.bytes.Set(t.bytes.Len()-1, last)
		text, t.size = text[n:], t.size+int64(n)
	}
	t.ends.Add(t.size)
}

// At is the one at a place.
func (t *Texts) At(i int) string {
	from := int64(0)
	if i > 0 {
		from = t.ends.At(i - 1)
	}
	text := make([]byte, t.ends.At(i)-from)
	for n := 0; n < len(text); {
		at := from + int64(n)
		c := t.bytes.At(int(at / int64(len(chunk{}))))
		n += copy(text[n:], c[at%int64(len(c)):])
	}
	return unsafe.String(unsafe.SliceData(text), len(text)) // nobody writes to it any more
}

// Cut leaves so many of them, the first ones.
func (t *Texts) Cut(n int) {
	if n >= t.ends.Len() {
		return
	}
	t.size = 0
	if n > 0 {
		t.size = t.ends.At(n - 1)
	}
	t.ends.Cut(n)
	t.bytes.Cut(int((t.size + int64(len(chunk{})) - 1) / int64(len(chunk{}))))
}

// Index is the place of the first that is this text, -1 if there is none.
func (t *Texts) Index(text string) int {
	for i := range t.Len() {
		if t.At(i) == text {
			return i
		}
	}
	return -1
}
