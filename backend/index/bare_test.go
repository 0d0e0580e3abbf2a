package index

import "testing"

// TestPutBare: sessions without texts are there, all of them, and what one had before is not.
func TestPutBare(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	ctx := t.Context()
	if err := x.Put(ctx, Session{ID: "was"}, texts(Text{Scope: User, Text: "foo was said"})); err != nil {
		t.Fatal(err)
	}
	if err := x.Put(ctx, Session{ID: "other"}, texts(Text{Scope: User, Text: "foo as well"})); err != nil {
		t.Fatal(err)
	}
	if err := x.PutBare(ctx, []Session{{ID: "new", Stamp: "1"}, {ID: "was", Stamp: "2"}, {ID: "newer", Stamp: "3"}, {ID: "forgotten"}}, func(id string) bool { return id != "forgotten" }); err != nil {
		t.Fatal(err)
	}
	rows, err := x.Stamps(ctx)
	if err != nil || len(rows) != 4 || rows["new"].Stamp != "1" || rows["was"].Stamp != "2" || rows["newer"].Stamp != "3" {
		t.Errorf("%v, %v", rows, err)
	}
	found, err := x.Search(ctx, Query{All: []Pattern{{Text: "foo"}}}, Options{})
	if err != nil || len(found.Hits) != 1 || found.Hits[0].ID != "other" {
		t.Errorf("%+v, %v", found.Hits, err)
	}
}
