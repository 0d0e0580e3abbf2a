package states

import (
	"testing"

	"pgregory.net/rapid"
)

// TestOpenCalls: each id has a stack of calls.
func TestOpenCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got openCalls
		want := map[uint64][]bool{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			id := rapid.Uint64Range(0, 5).Draw(t, "id")
			stack := want[id]
			if leftOut := rapid.Bool().Draw(t, "leftOut"); rapid.Bool().Draw(t, "call") {
				got.push(id, leftOut)
				want[id] = append(stack, leftOut)
				continue
			}
			leftOut, called := got.pop(id)
			if called != (len(stack) > 0) || called && leftOut != stack[len(stack)-1] {
				t.Fatalf("%t %t, not the last of %v", leftOut, called, stack)
			}
			if called {
				want[id] = stack[:len(stack)-1]
			}
		}
	})
}
