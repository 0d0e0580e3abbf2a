package secrets

import (
	"slices"
	"strings"
)

// kind is what a name says of the value behind it.
type kind int

const (
	// ordinary is every name that is none of the others.
	ordinary kind = iota
	// password is whatever somebody chose.
	password
	// token was made by a machine.
	token
	// key may be one of a map as well: only what looks made by a machine is a secret.
	key
	// credential is a header whose value may begin with a scheme, as Bearer.
	credential
	// cookie is a header of names and values.
	cookie
)

// named tells what a name says, and whether it is written as those of the environment.
type namedAs struct {
	kind  kind
	upper bool
	name  string
	// asked tells that it stands in an address, where no code does.
	asked bool
}

// headers are those whose names say nothing by the rules for other names.
var headers = map[string]kind{
	"authorization": credential, "proxy-authorization": credential, "cookie": cookie, "set-cookie": cookie,
	"x-api-key": token, "x-goog-api-key": token, "api-key": token, "ocp-apim-subscription-key": token, "x-functions-key": token,
}

var (
	// keyOf are the words before key that make it a secret, notKeyOf those that make it none.
	keyOf    = []string{"api", "access", "secret", "private", "auth", "encryption", "signing", "master", "account", "service", "subscription", "license", "deploy", "storage"}
	notKeyOf = []string{"public", "primary", "foreign", "partition", "sort", "cache", "publishable", "host", "idempotency", "registry", "hot", "group", "row", "index"}
	// notTokenOf are the words before token that say which part of a text, or page of a list, it is.
	notTokenOf = []string{"next", "page", "continuation", "stop", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "max", "cursor", "sync"}
)

func kindOf(name string) namedAs {
	if k, ok := headers[strings.ToLower(name)]; ok {
		return namedAs{kind: k, name: name}
	}
	words := wordsOf(name)
	if len(words) == 0 {
		return namedAs{}
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	upper := strings.ToUpper(name) == name
	switch {
	case ends(last, "password", "passwd", "passphrase", "passwort"), before != "" && (last == "pass" || last == "pwd"):
		return namedAs{kind: password, upper: upper, name: name}
	case ends(last, "token") && !slices.Contains(notTokenOf, before), ends(last, "secret", "credential", "credentials", "apikey"):
		return namedAs{kind: token, upper: upper, name: name}
	case last == "key" && slices.Contains(keyOf, before):
		return namedAs{kind: token, upper: upper, name: name}
	case last == "key" && upper && before != "" && !slices.Contains(notKeyOf, before):
		return namedAs{kind: key, upper: upper, name: name}
	}
	return namedAs{}
}

func ends(word string, with ...string) bool {
	return slices.ContainsFunc(with, func(end string) bool { return strings.HasSuffix(word, end) })
}

// wordsOf are the last two words of a name, in small letters: they end at what is no letter, and where a large letter follows a small one.
func wordsOf(name string) []string {
	var words []string
	end := len(name)
	for i := len(name) - 1; i >= 0 && len(words) < 2; i-- {
		c := name[i]
		parts := !alnum(c)
		turns := i > 0 && large(c) && !large(name[i-1]) && alnum(name[i-1])
		switch {
		case parts && i+1 < end:
			words = append(words, strings.ToLower(name[i+1:end]))
		case turns:
			words = append(words, strings.ToLower(name[i:end]))
		case i == 0:
			words = append(words, strings.ToLower(name[:end]))
		}
		if parts || turns {
			end = i
		}
	}
	slices.Reverse(words)
	return words
}

func large(c byte) bool { return 'A' <= c && c <= 'Z' }
