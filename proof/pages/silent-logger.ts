import { createLogger } from "server/src/observe/logger.ts";

/** For parts of the service that the run uses itself. */
export const silentLogger = () => createLogger({ logLevel: "silent" }, { write: () => {} });
