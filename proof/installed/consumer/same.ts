type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Compiles only if both types are the same. `any` is the same as `any` only. */
export const same = <One, Other>(_isSame: Same<One, Other>): void => {};
