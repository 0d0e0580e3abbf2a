package corpus

import "strings"

var syllables = strings.Fields("ba co di fu ga he ji ko lu ma ne pi qua ro su ta ve wo xi yu zan ter lin mor ston bri cla dre fro gle")

var code = []string{
	"func main() {", "if err != nil { return err }", "for i := range items {", "git commit -m \"fix\"", "SELECT * FROM rows WHERE id = 1;",
	"C:\\Users\\dev\\project", "/home/dev/work/api/server.go:120", "npm run build && npm test", "x = y[0]->next;", "{\"ok\":true,\"n\":3}",
}

var hanzi = []rune("的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切")

func (w *writer) word() string {
	var out strings.Builder
	for range 1 + w.rand.IntN(4) {
		out.WriteString(syllables[w.rand.IntN(len(syllables))])
	}
	return out.String()
}

// text is about so many bytes of sentences, code and, now and then, Chinese.
func (w *writer) text(size int) string {
	var out strings.Builder
	for out.Len() < size {
		switch n := w.rand.IntN(100); {
		case n < 4:
			for range 10 + w.rand.IntN(40) {
				out.WriteRune(hanzi[w.rand.IntN(len(hanzi))])
			}
			out.WriteString("。")
		case n < 20:
			out.WriteString(code[w.rand.IntN(len(code))])
			out.WriteByte('\n')
		default:
			for range 5 + w.rand.IntN(20) {
				out.WriteString(w.words[w.zipf.Uint64()])
				out.WriteByte(' ')
			}
			out.WriteString(".\n")
		}
	}
	return out.String()
}

// needle plants one now and then.
func (w *writer) needle(session int, text string) string {
	switch session % 400 {
	case 7:
		return text + " " + Needles["rare"]
	case 107:
		return text + " " + Needles["symbol"]
	case 207:
		return text + " " + Needles["cjk"]
	case 307:
		return text + " abc" + Needles["substring"] + "def"
	}
	return text
}
