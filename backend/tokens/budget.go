package tokens

// DefaultWindow is the context window, in tokens, of a model whose window is not known: a common
// size, and a low one. Guessing low costs an early compaction, guessing high a refused request.
const DefaultWindow = 128_000

// Budget is how a model's context window is divided, in tokens.
type Budget struct {
	// Window is the whole context window; Assumed tells that nobody knows it.
	Window  int
	Assumed bool
	// Reserve is kept free for the answer.
	Reserve int
	// KeepRecent is how much of the newest conversation a compaction leaves as it is.
	KeepRecent int
	// Cap makes a compaction happen before the window less the reserve is reached; 0 does not.
	Cap int
	// Clamped reports that reserve or keepRecent was too large for the window, or negative, and
	// was changed.
	Clamped bool
}

// NewBudget divides a window; 0 or less stands for one that is not known. The reserve is at most
// half the window, and keepRecent at most half of what the reserve leaves: with less room than
// that, every compaction would soon be followed by the next. A limit that the user gives for one
// compaction is not clamped: set the field afterwards.
func NewBudget(window, reserve, keepRecent int) Budget {
	assumed := window <= 0
	if assumed {
		window = DefaultWindow
	}
	b := Budget{Window: window, Assumed: assumed}
	b.Reserve = min(max(reserve, 0), window/2)
	b.KeepRecent = min(max(keepRecent, 0), (window-b.Reserve)/2)
	b.Clamped = b.Reserve != reserve || b.KeepRecent != keepRecent
	return b
}

// Trigger is the size above which a context is compacted: the window less the reserve or, if that is lower, the cap.
func (b Budget) Trigger() int {
	room := b.Window - b.Reserve
	if b.Cap > 0 {
		return min(room, b.Cap)
	}
	return room
}

// Capped lowers the trigger to a number of tokens and to a part of the window, whichever is less; 0 leaves it. Like the
// reserve, it leaves at most half of what is below it to the newest conversation.
func (b Budget) Capped(most int, ratio float64) Budget {
	if ratio > 0 {
		b.Cap = max(1, int(ratio*float64(b.Window)))
	}
	if most > 0 && (b.Cap == 0 || most < b.Cap) {
		b.Cap = most
	}
	if keep := min(b.KeepRecent, b.Trigger()/2); keep != b.KeepRecent {
		b.KeepRecent, b.Clamped = keep, true
	}
	return b
}
