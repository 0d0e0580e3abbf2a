package tokens

import (
	"cmp"
	"math"
	"slices"
)

// The bounds of a calibration factor. They keep a provider that reports nonsense, or a short
// context whose system prompt outweighs it, from starting a compaction that isn't needed or
// putting off one that is.
const (
	MinFactor = 0.8
	MaxFactor = 1.6
)

// PointsUsed is how many points [Calibrate] looks at, counted from the newest.
const PointsUsed = 8

// Point is one answer of the model at which its count and ours can be compared.
type Point struct {
	// Estimate is the raw estimate, in tokens, of the context that the model was sent to give
	// this answer: as it stood then, under the compaction and prunes in force then, and without
	// the answer itself. The same message kept by a later compaction belongs to another context;
	// an estimate of that one would not compare. Where the caller knows the size of the system
	// prompt and tool schemas sent along, it adds them.
	Estimate int
	// Usage is what was reported with the answer. Only its prompt side is used: the output may
	// hold reasoning that never becomes part of a context.
	Usage Usage
	// Discount marks an answer that was aborted or failed.
	Discount bool
}

// Calibrate says by how much a session's raw estimates must be multiplied to meet what its model
// counts, given its points from oldest to newest. Points of a model no longer in force should be
// left out: another tokenizer counted them. The result lies between [MinFactor] and [MaxFactor].
// It is 1 if no point can be used; one that was aborted or failed, reported no prompt, or has no
// estimate can't.
//
// The factor is the weighted median, by estimate, of reported over estimated at the newest
// [PointsUsed] usable points. A median, because one absurd report must not move it. Weighted,
// because reported usage includes the system prompt and tool schemas, which are not in the log:
// in a short context they are most of what was counted, in a long one, where the factor
// matters, they are little. Newest, because what a session holds changes: prose first, tool
// output later.
func Calibrate(points []Point) float64 {
	type ratio struct{ value, weight float64 }
	var ratios []ratio
	total := 0.0
	for _, p := range slices.Backward(points) {
		prompt := p.Usage.Prompt()
		if p.Discount || prompt == 0 || p.Estimate <= 0 {
			continue
		}
		weight := float64(p.Estimate)
		ratios = append(ratios, ratio{float64(prompt) / weight, weight})
		total += weight
		if len(ratios) == PointsUsed {
			break
		}
	}
	slices.SortFunc(ratios, func(a, b ratio) int { return cmp.Compare(a.value, b.value) })

	// The upper weighted median: of two equal halves the higher one, since a context thought too
	// long is compacted early, while one thought too short is refused by the model.
	seen := 0.0
	for _, r := range ratios {
		seen += r.weight
		if seen > total/2 {
			return bounded(r.value)
		}
	}
	return 1
}

// Scale is the calibrated estimate: a raw one times the factor, rounded to the nearest token,
// never negative and at most [math.MaxInt]. A factor out of bounds is brought back into them.
func Scale(estimate int, factor float64) int {
	scaled := math.Round(float64(max(estimate, 0)) * bounded(factor))
	if scaled >= math.MaxInt {
		return math.MaxInt
	}
	return int(scaled)
}

func bounded(factor float64) float64 {
	if math.IsNaN(factor) {
		return 1
	}
	return min(max(factor, MinFactor), MaxFactor)
}
