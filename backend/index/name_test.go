package index

import "testing"

// TestANameThatWentIsNotFound: a session that is not called anything any more is not found by what it was called, and what it says still is.
func TestANameThatWentIsNotFound(t *testing.T) {
	ctx := t.Context()
	said := Text{Seq: 1, Scope: User, Text: "what it says"}
	name := func(text string) Text { return Text{Seq: -1, Line: -1, Scope: Name, Text: text} }
	for title, write := range map[string]func(x *Index) error{
		"append": func(x *Index) error { return x.Append(ctx, Session{ID: "a"}, texts(name(""))) },
		"put":    func(x *Index) error { return x.Put(ctx, Session{ID: "a"}, texts(name(""), said)) },
		"try": func(x *Index) error {
			_, err := x.Try(ctx, Session{ID: "a"}, nil, true, texts(name("")))
			return err
		},
	} {
		x := openAt(t, t.TempDir(), usual)
		if err := x.Put(ctx, Session{ID: "a"}, texts(name("zebra"), said)); err != nil {
			t.Fatal(err)
		}
		if err := write(x); err != nil {
			t.Fatal(err)
		}
		for pattern, want := range map[string]int{"zebra": 0, "says": 1, "": 1} {
			found, err := x.Search(ctx, Query{All: []Pattern{{Text: pattern}}}, Options{Count: true})
			if err != nil || found.Counts["a"] != want {
				t.Errorf("%s: %q is found %d times, %v", title, pattern, found.Counts["a"], err)
			}
		}
	}
}
