package secrets

// Filter strips one text after the other, and counts what it took out. Nil leaves all as it is.
type Filter struct{ Count int }

// Text is Strip.
func (f *Filter) Text(text string) string {
	if f == nil {
		return text
	}
	text, n := Strip(text)
	f.Count += n
	return text
}

// Value is Strip for a value whose name is known.
func (f *Filter) Value(name, value string) string {
	if f == nil {
		return value
	}
	value, n := Value(name, value)
	f.Count += n
	return value
}

// JSON is Strip for the strings of a JSON text.
func (f *Filter) JSON(text []byte) []byte {
	if f == nil {
		return text
	}
	text, n := JSON(text)
	f.Count += n
	return text
}
