/** What a headline reports, by the precedence table of `headline-classes.ts` (signals sheet, 3.4). Pure. */
export type { HeadlineClass } from "./classes/pattern.ts";

import { distress } from "./classes/distress.ts";
import { financing } from "./classes/financing.ts";
import { litigation } from "./classes/litigation.ts";
import { ma } from "./classes/ma.ts";
import type { HeadlineClass } from "./classes/pattern.ts";
import { project } from "./classes/project.ts";
import { tidyTitle, withoutOutlet } from "./title.ts";

export type EventType = HeadlineClass["type"] | "mention";

/** The class of a headline as a feed gives it. Never throws; at most `longestTitle` characters are read. */
export function classify(title: string): EventType {
	const text = plain(title);
	for (const { type, not, triggers } of headlineClasses) {
		const rest = not.reduce((left, phrase) => left.replace(phrase, " "), text);
		if (triggers.some((trigger) => trigger.test(rest))) return type;
	}
	return "mention";
}

/** Lower case, quotes gone, hyphens and slashes as spaces: "Take-Private" and "take private" are one spelling. */
function plain(title: string): string {
	return withoutOutlet(tidyTitle(title))
		.toLowerCase()
		.replace(/['’‘"“”]/g, "")
		.replace(/[\s\-‐‑–—/]+/g, " ");
}

/** First class that matches wins; what matches none is a `mention`. */
export const headlineClasses: readonly HeadlineClass[] = [distress, litigation, ma, financing, project];
