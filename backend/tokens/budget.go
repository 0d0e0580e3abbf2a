package tokens

// DefaultWindow is the context window, in tokens, of a model whose window is not known: a common
// size, and a low one. Guessing low costs an early compaction, guessing high a refused request.
const DefaultWindow = 128_000

// Budget is how a model's context window is divided, in tokens.
type Budget struct {
	// Window is the whole context window.
	Window int
	// Reserve is kept free for the answer.
	Reserve int
	// KeepRecent is how much of the newest conversation a compaction leaves as it is.
	KeepRecent int
	// Clamped reports that reserve or keepRecent was too large for the window, or negative, and
	// was changed.
	Clamped bool
}

// NewBudget divides a window; 0 or less stands for one that is not known. The reserve is at most
// half the window, and keepRecent at most half of what the reserve leaves: with less room than
// that, every compaction would soon be followed by the next. A limit that the user gives for one
// compaction is not clamped: set the field afterwards.
func NewBudget(window, reserve, keepRecent int) Budget {
	if window <= 0 {
		window = DefaultWindow
	}
	b := Budget{Window: window}
	b.Reserve = min(max(reserve, 0), window/2)
	b.KeepRecent = min(max(keepRecent, 0), (window-b.Reserve)/2)
	b.Clamped = b.Reserve != reserve || b.KeepRecent != keepRecent
	return b
}
