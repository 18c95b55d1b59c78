import { resultsIn } from "test-kit/results/results-in";

export const { write: writeResult, read: readResult } = resultsIn(new URL("./results/", import.meta.url));
