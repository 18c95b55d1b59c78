type Bannable = { banned?: unknown; banExpires?: unknown };

/** Whether a user is banned now, by the columns of Better Auth's `admin` plugin. */
export const isBanned = ({ banned, banExpires }: Bannable): boolean =>
	banned === true && (!banExpires || new Date(banExpires as string | Date).getTime() > Date.now());
