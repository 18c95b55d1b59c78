import { sweepSurface } from "./suite.ts";

sweepSurface("the engine's surface on PostgreSQL with Redis", { database: "postgres", redis: true });
