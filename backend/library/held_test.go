package library

import (
	"fmt"
	"runtime"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/sources"
)

// TestAListingHoldsLittle: what is known of a session is in memory once, also while a listing of all is held.
func TestAListingHoldsLittle(t *testing.T) {
	const sessions, most = 5000, 16 // bytes of a session in a listing
	ids := make([]string, sessions)
	for i := range ids {
		ids[i] = fmt.Sprintf("%012d", i)
	}
	l := Open(Options{
		Cache: t.TempDir(), Home: t.TempDir(), Getenv: func(string) string { return "" }, Sources: []sources.Source{&named{ids: ids}},
	})
	defer l.Close()
	listing, err := l.List(t.Context())
	if err != nil || len(listing.Found) != sessions {
		t.Fatal(len(listing.Found), err)
	}
	with := heaptest.InUse()
	runtime.KeepAlive(listing)
	if held := with - heaptest.InUse(); held > sessions*most {
		t.Errorf("%d bytes are held of a session", held/sessions)
	}
}
