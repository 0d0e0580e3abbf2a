package backend

import "time"

// Outside is what a course leaves out, as few sessions have days that lie far from all others: a clock that went wrong, or a file that
// was written by hand.
type Outside struct {
	// Sessions is how many have such a day.
	Sessions int `json:"sessions"`
	// First and Last are the first and the last day there is, within the course or not.
	First string `json:"first"`
	Last  string `json:"last"`
}

const (
	// outsideMost is what part of the days on which sessions were at work may lie before a course begins: a hundredth, but one at least.
	outsideMost = 100
	// courseLong is how many days can be looked at whatever lies where in them, and courseShorter how many times shorter a course has to
	// become for any to be left out.
	courseLong, courseShorter = 5 * 366, 4
)

// begin is the day a course begins with that ends with another: the first there is, unless few days make it much longer than the rest.
func (t *tally) begin(days []string, last string) string {
	first, all := last, 0
	for _, day := range days {
		if day <= last {
			first, all = min(first, day), all+t.days[day].Sessions
		}
	}
	whole := daysFrom(first, last)
	left := max(1, all/outsideMost)
	for i, day := range days {
		if left -= t.days[day].Sessions; left < 0 || i+1 == len(days) || days[i+1] > last {
			if whole > courseLong && daysFrom(day, last)*courseShorter <= whole {
				return day
			}
			break
		}
	}
	return first
}

func daysFrom(first, last string) int {
	from, _ := time.Parse(time.DateOnly, first)
	to, _ := time.Parse(time.DateOnly, last)
	const hours = 24
	return int(to.Sub(from).Hours())/hours + 1
}

// outside tells what is not from a day to a day.
func (t *tally) outside(days []string, from, to string) *Outside {
	sessions := map[string]bool{}
	for _, day := range days {
		if day >= from && day <= to {
			continue
		}
		for id := range t.days[day].counted {
			sessions[id] = true
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	return &Outside{Sessions: len(sessions), First: days[0], Last: days[len(days)-1]}
}
