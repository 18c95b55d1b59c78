import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Text } from "@react-email/text";
import { createElement, Fragment, type ReactElement } from "react";
import type { Letter } from "../letter.ts";
import { DARK, LOOK } from "./look.ts";

type Part = (props: Letter) => ReactElement | null;

/** The layout of all mails: no images, nothing loaded from a server. React escapes every text. */
export const Mail: Part = (letter) =>
	createElement(
		Html,
		{ lang: letter.locale, dir: "ltr" },
		createElement(
			Head,
			null,
			createElement("meta", { name: "viewport", content: "width=device-width" }),
			createElement("meta", { name: "color-scheme", content: "light dark" }),
			createElement("title", null, letter.subject),
			createElement("style", null, DARK),
		),
		createElement(
			Body,
			{ style: LOOK.body, className: "m-body" },
			// without the code, which a locked screen would show
			createElement(Preview, null, letter.opening),
			createElement(
				Container,
				{ style: LOOK.card, className: "m-card" },
				createElement(
					"div",
					{ style: LOOK.content },
					createElement(Heading, { as: "h1", style: LOOK.title, className: "m-title" }, letter.title),
					createElement(Text, { style: LOOK.text, className: "m-text" }, letter.opening),
					createElement(Action, letter),
					createElement(Text, { style: LOOK.closing, className: "m-closing" }, letter.closing),
				),
			),
		),
	);

/** The same as plain text: the label and the address are lines of their own. */
export const PlainMail: Part = ({ opening, link, code, closing }) =>
	createElement(
		Fragment,
		null,
		createElement("p", null, opening),
		link && createElement("p", null, link.label, createElement("br"), link.url),
		code && createElement("p", null, code),
		createElement("p", null, closing),
	);

const Action: Part = ({ link, code }) => {
	if (code) return createElement(Text, { style: LOOK.code, className: "m-code" }, code);
	if (!link) return null;
	const { label, url, orOpen } = link;
	return createElement(
		Fragment,
		null,
		createElement(Button, { href: url, style: LOOK.button }, label),
		createElement(
			Text,
			{ style: LOOK.small, className: "m-small" },
			orOpen,
			createElement("br"),
			createElement(Link, { href: url, style: LOOK.address, className: "m-address" }, url),
		),
	);
};
