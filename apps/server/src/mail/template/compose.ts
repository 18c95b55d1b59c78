import { render, toPlainText } from "@react-email/render";
import { createElement } from "react";
import type { Letter } from "../letter.ts";
import { Mail, PlainMail } from "./mail.ts";

export type ComposedMail = { subject: string; text: string; html: string };

/** Renders a letter as HTML and plain text. Load this file when the first mail is sent: it imports React. */
export const compose = async (letter: Letter): Promise<ComposedMail> => {
	const { link } = letter;
	const safe = link ? { ...letter, link: { ...link, url: webAddress(link.url) } } : letter;
	const [html, plain] = await Promise.all([render(createElement(Mail, safe)), render(createElement(PlainMail, safe))]);
	return { subject: letter.subject, html, text: `${toPlainText(plain, PLAIN)}\n` };
};

/** By default, U+200B counts as a space. Here it keeps names from becoming links. */
const PLAIN = { whitespaceCharacters: " \t\r\n\f" };

/** Normalizes a URL: on one line, with unusual characters encoded. */
const webAddress = (url: string): string => {
	const parsed = new URL(url);
	if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
		throw new Error("A link in a mail must be an http or https URL");
	return parsed.href;
};
