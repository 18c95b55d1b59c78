/** Bytes of all bodies together that are being received, if BODY_LIMIT allows no larger ones. */
const MOST = 67_108_864;
/** Bodies that always fit. Every sign-in is smaller, and a connection takes about as much by itself. */
export const SMALL_BODY = 16_384;

/** The place of one body. */
type Place = {
	/** Says how many bytes the body takes now. */
	grow: (bytes: number) => void;
	/** The body is complete, or nobody waits for it any more. */
	leave: () => void;
};

export type BodyRoom = ReturnType<typeof createBodyRoom>;

/**
 * Bounds the memory of bodies that are being received: anybody can begin many and end none. If there is no room, the one that
 * began first is given up. A body takes milliseconds, so the oldest one is one whose sender stalls.
 */
export const createBodyRoom = (longest: number, most = Math.max(MOST, 4 * longest)) => {
	/** in the order they began */
	const held = new Map<object, { bytes: number; giveUp: () => void }>();
	let total = 0;
	const leave = (key: object): void => {
		total -= held.get(key)?.bytes ?? 0;
		held.delete(key);
	};
	return {
		/** Begins a body. `giveUp` ends it without a response of its own. */
		enter: (giveUp: () => void): Place => {
			const key = {};
			held.set(key, { bytes: 0, giveUp });
			return {
				grow: (bytes) => {
					const own = held.get(key);
					if (!own || bytes <= SMALL_BODY) return;
					total += bytes - own.bytes;
					own.bytes = bytes;
					for (const [oldest, { bytes: its, giveUp: end }] of held) {
						if (total <= most) break;
						// a small one would free nothing
						if (its === 0) continue;
						leave(oldest);
						end();
					}
				},
				leave: () => leave(key),
			};
		},
	};
};
