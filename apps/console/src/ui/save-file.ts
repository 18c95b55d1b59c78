/** Saves a text as a file, without a server. */
export const saveFile = (name: string, text: string, type = "application/json"): void => {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	// the browser has begun to read it by then
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
