import { connect, type Socket } from "node:net";

/** Writes raw bytes to a port, and returns everything received until the other end closes or the time is up. */
export const sendRaw = (port: number, bytes: string | Buffer, patience = 3000): Promise<string> =>
	new Promise((resolve, reject) => {
		const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
		let received = "";
		const end = (): void => {
			socket.destroy();
			resolve(received);
		};
		const timer = setTimeout(end, patience);
		socket.on("data", (chunk) => {
			received += chunk.toString();
		});
		socket.on("close", () => {
			clearTimeout(timer);
			end();
		});
		socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? end() : reject(error)));
	});

/** A connection that a test writes to step by step. */
export const openRaw = async (port: number) => {
	const socket: Socket = connect(port, "127.0.0.1");
	let received = "";
	let isClosed = false;
	socket.on("data", (chunk) => {
		received += chunk.toString();
	});
	socket.on("close", () => {
		isClosed = true;
	});
	socket.on("error", () => {});
	await new Promise((resolve) => socket.once("connect", resolve));
	return {
		socket,
		write: (bytes: string) => socket.write(bytes),
		received: () => received,
		isClosed: () => isClosed,
	};
};

/** The status and JSON of a response. */
export const readRaw = (answer: string): { status: number; head: string; body: unknown } => {
	const [head = "", ...rest] = answer.split("\r\n\r\n");
	const text = rest.join("\r\n\r\n").replace(/^[0-9a-f]+\r\n|\r\n0$/g, "");
	let body: unknown = null;
	try {
		body = JSON.parse(text.replace(/\r\n.*$/s, ""));
	} catch {
		body = text;
	}
	return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body };
};
