import { resultsIn } from "../measure/results-in.ts";

export const { write: writeResult, read: readResult } = resultsIn(new URL("./results/", import.meta.url));
