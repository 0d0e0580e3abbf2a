package compaction

import (
	"regexp"
	"strconv"
	"strings"
)

// amountShape is a number with its unit: a sign of money, the number, how many it counts by, and the unit.
var amountShape = regexp.MustCompile(`([$€£])(\d(?:[\d.,]*\d)?)|\b(\d+(?:[.,]\d+)*)(?:()\s?(%|percent\b|(?:ns|µs|us|ms|s|secs?|min|mins|h|hrs?|[kKMGT]i?B|bits?|px|req/s|rpm|[kMG]?Hz|°C|EUR|USD)\b)` +
	`|([kK]?)[\s-]?((?:seconds?|minutes?|hours?|days?|weeks?|bytes?|tokens?|rows?|requests?)\b))`)

// thousands is a number with a comma behind each thousand, as English has it; another comma is that of a fraction.
var thousands = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)

// measures are units that are another one so many times.
var measures = map[string]struct {
	times float64
	unit  string
}{
	"ns": {1e-9, "s"}, "us": {1e-6, "s"}, "µs": {1e-6, "s"}, "ms": {1e-3, "s"}, "sec": {1, "s"}, "second": {1, "s"},
	"min": {60, "s"}, "minute": {60, "s"}, "h": {3600, "s"}, "hr": {3600, "s"}, "hour": {3600, "s"},
	"day": {86_400, "s"}, "week": {7 * 86_400, "s"}, "percent": {1, "%"},
	"kb": {1e3, "byte"}, "mb": {1e6, "byte"}, "gb": {1e9, "byte"}, "tb": {1e12, "byte"},
	"kib": {1 << 10, "byte"}, "mib": {1 << 20, "byte"}, "gib": {1 << 30, "byte"}, "tib": {1 << 40, "byte"},
}

// amount is a number as it is compared: 1,000 ms are 1 s.
func amount(text string) string {
	part := amountShape.FindStringSubmatch(text)
	if part == nil {
		return text
	}
	digits, unit := part[2]+part[3], strings.ToLower(part[1]+part[5]+part[7])
	if thousands.MatchString(digits) {
		digits = strings.ReplaceAll(digits, ",", "")
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", "."), 64)
	if err != nil { // such as 1.2.3, which is no number
		return digits + unit
	}
	if part[6] != "" {
		n *= 1000
	}
	if len(unit) > 2 {
		unit = strings.TrimSuffix(unit, "s")
	}
	if m, ok := measures[unit]; ok {
		n, unit = n*m.times, m.unit
	}
	const figures = 12
	return strconv.FormatFloat(n, 'g', figures, 64) + unit
}
