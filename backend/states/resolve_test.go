package states

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// TestResolvedWithoutTexts: what is told of any log without its texts is what its whole context tells.
func TestResolvedWithoutTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		x, got := tableOf(t, log)
		whole, err := overlay.Resolve(session.NewReverse(strings.NewReader(log), int64(len(log))), overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Of(strings.NewReader(log), x, &whole)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("of\n%s\n%+v, not\n%+v", log, got, want)
		}
	})
}
