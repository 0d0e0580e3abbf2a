package gemini

import "testing"

// TestHowCommandsEnd: what a command says itself is no ending while its own follows.
func TestHowCommandsEnd(t *testing.T) {
	for text, want := range map[string]bool{
		"<untrusted_context>\nOutput: no such file\nExit Code: 2\nProcess Group PGID: 22829\n</untrusted_context>": true,
		"Command: x\nOutput: y\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)":              false,
		"Command: x\nOutput: y\nExit Code: (none)\nSignal: SIGKILL\nBackground PIDs: (none)":                       true,
		"Output: y\nSignal: 9\nProcess Group PGID: 1":                                                              true,
		"Output: z\nExit Code: -1":                               true,
		"Output: a\nExit Code: 1\nb\nExit Code: 0":               false,
		"Output: a\nExit Code: 0\nb\nExit Code: 127":             true,
		"Output: Exit Code: 3 is what it says\nSignal: to noise": false,
		"": false,
	} {
		if ended(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
