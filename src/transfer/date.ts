import * as z from "zod";

/** A date as JSON writes it, or as server code has it. */
export const date = z.union([z.date(), z.iso.datetime({ offset: true })]).transform((value) => new Date(value));
