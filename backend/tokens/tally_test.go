package tokens

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEstimate(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"one letter", "a", 1},
		{"four letters", "abcd", 1},
		{"five letters", "abcde", 2},
		{"accents are not wide", "éèàü", 1},
		{"combining marks count", "e\u0301e\u0301", 1},
		{"Cyrillic is not wide", "да", 1},
		{"Chinese", "漢字", 2},
		{"Japanese kana", "かな", 2},
		{"halfwidth kana are not wide", "ｶﾅ", 1},
		{"Korean", "한국", 2},
		{"fullwidth letters", "ＡＢ", 2},
		{"ideographic full stop", "。", 1},
		{"rare Han beyond the first plane", "𠮷𠮷", 2},
		{"emoji", "😀😀", 2},
		{"emoji that are neutral by width", "✈☀", 2},
		{"a flag is two letters", "🇯🇵", 2},
		{"emoji newer than the tables", "\U0001FAE9", 1},
		{"joined emoji count with their joiner", "👩\u200d🚀", 3},
		{"box drawing is not wide", "├──┤", 1},
		{"mixed, rounded once", "a漢b", 2},
		{"invalid bytes are a code point each", "\xff\xfe\xfd\xfc\xfb", 2},
		{"a torn sequence is a code point a byte", "\xe6\xbc", 1},
	}
	for _, tt := range tests {
		if got := Estimate(tt.text); got != tt.want {
			t.Errorf("%s: Estimate(%q) = %d, want %d", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestTallyRoundsUpOnce(t *testing.T) {
	var tally Tally
	if got := tally.Tokens(); got != 0 {
		t.Errorf("empty tally = %d, want 0", got)
	}
	for range 4 {
		tally.AddText("a")
	}
	if got := tally.Tokens(); got != 1 {
		t.Errorf("four blocks of one letter = %d, want 1", got)
	}
	tally.AddImage()
	tally.AddText("b")
	if got := tally.Tokens(); got != 1+ImageTokens+1 {
		t.Errorf("with an image and a letter = %d, want %d", got, 1+ImageTokens+1)
	}
}

func TestToolCallCountsNameAndArguments(t *testing.T) {
	var tally Tally
	tally.AddText("read")               // 4
	tally.AddText(`{"path":"main.go"}`) // 18
	if got := tally.Tokens(); got != 6 {
		t.Errorf("tool call = %d, want 6", got)
	}
}

// The properties hold for whole code points. Two halves of one, counted apart, are invalid bytes.
func TestEstimateProperties(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ]*`), rapid.StringMatching(`[一-鿿ぁ-ん😀-🙏a]*`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		ta, tb, both := Estimate(a), Estimate(b), Estimate(a+b)
		if both > ta+tb {
			t.Errorf("joined %d > %d + %d", both, ta, tb)
		}
		if both < max(ta, tb) {
			t.Errorf("joined %d < max(%d, %d)", both, ta, tb)
		}
		points := utf8.RuneCountInString(a)
		if ta < (points+3)/4 || ta > points {
			t.Errorf("%d code points count %d", points, ta)
		}
		if Estimate(b+a) != both {
			t.Error("the order of the parts changed the count")
		}
	})
}

func TestTallyMatchesJoinedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.String()).Draw(t, "parts")
		var tally Tally
		before := 0
		for _, p := range parts {
			tally.AddText(p)
			if tally.Tokens() < before {
				t.Fatal("adding text made the tally smaller")
			}
			before = tally.Tokens()
		}
		if joined := Estimate(strings.Join(parts, "")); joined != tally.Tokens() {
			t.Errorf("parts %d, joined %d", tally.Tokens(), joined)
		}
	})
}

func FuzzEstimate(f *testing.F) {
	f.Add("plain")
	f.Add("漢字かな\xff😀")
	f.Fuzz(func(t *testing.T, text string) {
		points := utf8.RuneCountInString(text)
		if got := Estimate(text); got < (points+3)/4 || got > points {
			t.Errorf("%d code points count %d", points, got)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	for _, file := range []string{"english.txt", "json.txt", "chinese.txt", "japanese.txt"} {
		b.Run(strings.TrimSuffix(file, ".txt"), func(b *testing.B) {
			text, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				b.Fatal(err)
			}
			s := strings.Repeat(string(text), 64)
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Estimate(s)
			}
		})
	}
}
