package many

// Texts is a list of short texts. The zero value is empty.
type Texts struct {
	bytes List[byte]
	ends  List[int64]
}

// Len is how many there are.
func (t *Texts) Len() int { return t.ends.Len() }

// Add puts one at the end.
func (t *Texts) Add(text string) {
	for i := range len(text) {
		t.bytes.Add(text[i])
	}
	t.ends.Add(int64(t.bytes.Len()))
}

// At is the one at a place.
func (t *Texts) At(i int) string {
	from := int64(0)
	if i > 0 {
		from = t.ends.At(i - 1)
	}
	text := make([]byte, t.ends.At(i)-from)
	for n := range text {
		text[n] = t.bytes.At(int(from) + n)
	}
	return string(text)
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
