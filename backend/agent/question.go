package agent

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
)

// Question is a call that waits until the user says whether it may run.
type Question struct {
	CallID string `json:"callId"`
	// Asked counts the questions of a turn, from 1: servers of models give one id to several calls.
	Asked int    `json:"asked"`
	Tool  string `json:"tool"`
	// Arguments are those of the call as the model gave them.
	Arguments json.RawMessage `json:"arguments"`
	// Command is what a shell would run, empty for other tools.
	Command string   `json:"command"`
	Paths   []string `json:"paths"`
	// Diff shows what a call that changes a file would do, if that can be told.
	Diff string `json:"diff"`
	Why  string `json:"why"`
	// Rules are what would be allowed by an answer that holds for longer; none if there is no such rule.
	Rules []string `json:"rules"`
	// Cut tells that an event does not hold all of it; what State tells of the turn does.
	Cut bool `json:"cut"`
}

// Reply is the user's answer.
type Reply struct {
	Allow bool
	// Answer is the word for it that others are told.
	Answer string
	// Reason is for the model.
	Reason string
}

// Answered is a question that is open no more.
type Answered struct {
	CallID string `json:"callId"`
	Asked  int    `json:"asked"`
	Answer string `json:"answer"`
}

// answerStopped is the answer that nobody gave.
const answerStopped = "stopped"

// ErrNoQuestion is returned for an answer to what is not, or no longer, asked.
var ErrNoQuestion = errors.New("nothing is asked about that call; it may be answered already")

// questions are those of a turn.
type questions struct {
	asking sync.Mutex // held by who asks: a user is asked one thing at a time
	mu     sync.Mutex
	count  int
	open   *openQuestion
}

type openQuestion struct {
	Question
	reply chan Reply
	// taken tells that somebody is answering it.
	taken bool
}

// question asks the user and waits for the answer.
func (t *Turn) question(question func() *Question) (Reply, error) {
	q := &t.questions
	q.asking.Lock()
	defer q.asking.Unlock()
	if t.ctx.Err() != nil {
		return Reply{}, t.stopped()
	}
	asked := question()
	if asked == nil {
		return Reply{}, nil
	}
	open := &openQuestion{Question: *asked, reply: make(chan Reply, 1)}
	q.mu.Lock()
	q.count++
	open.Asked = q.count
	q.open = open
	q.mu.Unlock()
	resume := t.clock.pause()
	t.events.asks(open.Question)
	reply, err := Reply{Answer: answerStopped}, error(nil)
	select {
	case reply = <-open.reply:
	case <-t.ctx.Done():
		err = t.stopped()
	}
	resume()
	q.mu.Lock()
	q.open = nil
	q.mu.Unlock()
	t.events.answered(Answered{open.CallID, open.Asked, reply.Answer})
	return reply, err
}

// take is the open question about a call, for one who answers it. asked may be 0 for whichever it is.
func (q *questions) take(callID string, asked int) *openQuestion {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil || q.open.taken || q.open.CallID != callID || asked != 0 && asked != q.open.Asked {
		return nil
	}
	q.open.taken = true
	return q.open
}

// Answer answers what the running turn asks about a call. decide makes the reply and whatever has to be kept of it; nobody
// else answers meanwhile, and if it fails the question stays open.
func (a *Agent) Answer(id, turnID, callID string, asked int, decide func(Question) (Reply, error)) error {
	turn := a.running(id, turnID)
	if turn == nil {
		return ErrNoTurn
	}
	open := turn.questions.take(callID, asked)
	if open == nil {
		return ErrNoQuestion
	}
	reply, err := decide(open.Question)
	if err != nil {
		turn.questions.mu.Lock()
		open.taken = false
		turn.questions.mu.Unlock()
		return err
	}
	open.reply <- reply
	return nil
}

// running is a session's turn of that id if it runs.
func (a *Agent) running(id, turnID string) *Turn {
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.owners[id]
	if o == nil {
		return nil
	}
	i := slices.IndexFunc(o.turns, func(t *Turn) bool { return t.ID == turnID && t.running })
	if i < 0 {
		return nil
	}
	return o.turns[i]
}

// How much of a question an event holds, in bytes as JSON.
const (
	askedCommandMost   = 2500
	askedDiffMost      = 2000
	askedArgumentsMost = 1000
	askedPathsMost     = 600
	askedRulesMost     = 600
	askedWhyMost       = 400
)

// Told is a question as an event holds it.
func (q Question) Told() Question {
	whole := func(text string, most int) string {
		short := clip(text, most)
		q.Cut = q.Cut || short != text
		return short
	}
	list := func(texts []string, most int) []string {
		short := []string{}
		for _, text := range texts {
			if most -= cost(text); most < 0 {
				q.Cut = true
				break
			}
			short = append(short, text)
		}
		return short
	}
	q.CallID, q.Tool = clip(q.CallID, askedPathsMost), clip(q.Tool, askedPathsMost)
	q.Command, q.Diff, q.Why = whole(q.Command, askedCommandMost), whole(q.Diff, askedDiffMost), whole(q.Why, askedWhyMost)
	q.Paths, q.Rules = list(q.Paths, askedPathsMost), list(q.Rules, askedRulesMost)
	if arguments, err := json.Marshal(q.Arguments); err != nil || len(arguments) > askedArgumentsMost {
		q.Arguments, q.Cut = nil, true
	}
	return q
}

// cost is what a text takes in a list.
func cost(text string) int {
	n := len(`"",`)
	for _, r := range text {
		n += jsonSize(r)
	}
	return n
}
