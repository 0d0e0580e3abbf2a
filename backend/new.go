package backend

import (
	"encoding/json"
	"fmt"

	"palimpsest/backend/config"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// NewSession says what a session is created with. All of it may be empty.
type NewSession struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	// Provider is who serves the model, by the name in the settings; empty for the one in use.
	Provider string `json:"provider"`
	// Cwd is where tools work. With CwdMustExist a folder has to be there now.
	Cwd          string `json:"cwd"`
	CwdMustExist bool   `json:"cwdMustExist"`
	Key          string `json:"key"`
	Source       string `json:"source"`
	CronJobID    string `json:"cronJobId"`
	// Agent and CreatedBy say who talks to whom; who made it is the door if nobody is named.
	Agent     string `json:"agent"`
	CreatedBy string `json:"createdBy"`
	// SystemPrompt replaces the program's and the user's own in this session.
	SystemPrompt string `json:"systemPrompt"`
	// First is what a window calls the message that it begins the session with. What lies on the desk of it goes along, and who asks
	// again, for want of an answer, gets the session that there is.
	First string `json:"first"`
}

// New creates an empty session.
func (b *Backend) New(n NewSession) (Session, error) {
	settings, _ := b.Settings()
	if n.CwdMustExist {
		if err := checkFolder(n.Cwd); err != nil {
			return Session{}, err
		}
	}
	if n.Provider != "" {
		if err := b.checkProvider(n.Provider); err != nil {
			return Session{}, err
		}
		settings, _ = settings.Using(n.Provider)
	}
	if n.Model == "" {
		n.Model = settings.Model
	}
	made := session.New{
		Name: n.Name, Model: n.Model, Cwd: n.Cwd, Key: n.Key, Source: n.Source, CronJobID: n.CronJobID,
		Agent: n.Agent, CreatedBy: b.maker(n.CreatedBy), SystemPromptOverride: n.SystemPrompt,
	}
	if n.Provider != "" {
		at := record.Model{Provider: settings.Provider, Model: n.Model, Named: true}
		if at.Provider == "" {
			at.Provider = config.DefaultProvider
		}
		if err := b.remember(&made, at); err != nil {
			return Session{}, err
		}
	}
	if n.First != "" {
		return b.begin(n.First, made)
	}
	m, err := b.store.Create(made)
	if err != nil {
		return Session{}, err
	}
	return b.Get(m.ID)
}

// maker is who made a session: the one named or, where nobody is, this door.
func (b *Backend) maker(named string) string {
	if named == "" {
		return b.createdBy
	}
	return named
}

// remember has a new session begin with who serves its model.
func (b *Backend) remember(n *session.New, m record.Model) error {
	text, err := json.Marshal(struct {
		RecordType record.Type `json:"recordType"`
		record.Model
	}{record.TypeModel, m})
	if err != nil {
		return fmt.Errorf("encoding a model: %w", err)
	}
	n.First, err = b.draftsOf([][]byte{text})
	return err
}
