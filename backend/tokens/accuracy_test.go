package tokens

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// TestAccuracy holds the estimate to the errors that the package comment states.
func TestAccuracy(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	const slack = 5 // percentage points, so that a sample can be mended without a new table
	tests := []struct {
		file  string
		error float64 // per cent
	}{
		{"english.txt", 22},
		{"go.txt", -8},
		{"json.txt", -38},
		{"chinese.txt", 38},
		{"japanese.txt", 38},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			counted, err := codec.Count(string(text))
			if err != nil {
				t.Fatal(err)
			}
			estimate := Estimate(string(text))
			got := 100 * (float64(estimate)/float64(counted) - 1)
			t.Logf("%d bytes, tokenizer %d, estimate %d, error %+.1f %%", len(text), counted, estimate, got)
			if math.Abs(got-tt.error) > slack {
				t.Errorf("error is %+.1f %%, stated is %+.0f %%", got, tt.error)
			}
		})
	}
}
