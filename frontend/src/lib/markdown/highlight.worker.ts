// Colouring a long piece of code takes longer than a frame: it is done beside the page.
import { highlight } from './highlight';

onmessage = ({ data }: MessageEvent<{ key: string; code: string; language: string }>) => {
  postMessage({ key: data.key, colouring: highlight(data.code, data.language) });
};
