/** Classifies headlines. The classes are in order of precedence. Pure. */
import type { EventType } from "#libs/contract/vocabulary.ts";
import { distress } from "./classes/distress.ts";
import { financing } from "./classes/financing.ts";
import { litigation } from "./classes/litigation.ts";
import { ma } from "./classes/ma.ts";
import type { HeadlineClass } from "./classes/pattern.ts";
import { project } from "./classes/project.ts";
import { tidyTitle, withoutOutlet } from "./title.ts";

/** Reads at most `longestTitle` characters. Never throws. */
export function classify(title: string): EventType {
	const text = plain(title);
	for (const { type, not, triggers } of headlineClasses) {
		const rest = not.reduce((left, phrase) => left.replace(phrase, " "), text);
		if (triggers.some((trigger) => trigger.test(rest))) return type;
	}
	return "mention";
}

/** The title in lower case, without quotes, with spaces instead of hyphens and slashes: "Take-Private" becomes "take private". */
function plain(title: string): string {
	return withoutOutlet(tidyTitle(title))
		.toLowerCase()
		.replace(/['’‘"“”]/g, "")
		.replace(/[\s\-‐‑–—/]+/g, " ");
}

/** The first class that matches wins. A headline without a class is a `mention`. */
const headlineClasses: readonly HeadlineClass[] = [distress, litigation, ma, financing, project];
