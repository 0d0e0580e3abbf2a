package record

import "testing"

func TestOutput(t *testing.T) {
	for text, want := range map[string]string{
		`{"output":"total 28\ndrwx C:\\x","metadata":{"exit_code":0,"duration_seconds":0.1}}`: "total 28\ndrwx C:\\x",
		`{"output":"","metadata":{"exit_code":1}}`:                                            "",
		`{"output":"a"}`: `{"output":"a"}`,
		`{"output":1,"metadata":{"exit_code":0}}`:   `{"output":1,"metadata":{"exit_code":0}}`,
		`{"output":"a","metadata":{"exit_code":0}`:  `{"output":"a","metadata":{"exit_code":0}`,
		`{"output":"a","metadata":{"pages":[1,2]}}`: `{"output":"a","metadata":{"pages":[1,2]}}`,
		"out": "out",
	} {
		if got := Output(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
