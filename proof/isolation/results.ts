import { resultsIn } from "test-kit/results/results-in";

export const { write: writeResult, read: readResult } = resultsIn(new URL("./results/", import.meta.url));

/** Of proof/mutation, which has a folder of its own. */
export const { read: readMutation } = resultsIn(new URL("../mutation/results/", import.meta.url));
