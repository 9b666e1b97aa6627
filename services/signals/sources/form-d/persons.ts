/** Names of related persons: companies squeezed into first and last names are put together again. Pure. */

import type { FormD } from "../../domain/parsed.ts";
import { shortText } from "../fields.ts";

export interface FiledPerson {
	first: string | null;
	middle: string | null;
	last: string | null;
	relationships: (string | null)[];
	city: string | null;
	/** SEC's code. */
	state: string | null;
}

/** The form has room for 100 persons; co-issuers repeat theirs. */
const maxPersons = 400;

/** What filers write into a part that a company does not have. A part without a letter or digit (`-`, `*`, `.`) is one too. */
const placeholder = /^(n\s?[/.]\s?a\.?|none|not applicable)$/i;

const legalSuffix =
	/^(the )?(l\.?l\.?c\.?|l\.?l\.?l?\.?p\.?|l\.?p\.?|inc\.?|incorporated|ltd\.?|limited|corp\.?|corporation|co\.?|company|plc|p\.?c\.?|s\.?[aà]\.?( r\.?l\.?)?|s\.?[aà]\.?r\.?l\.?|gmbh|n\.?v\.?|b\.?v\.?|trust|gp|lp|llc|limited partnership|limited liability company)$/i;

/** The persons with a name; placeholders are left out (fact sheet, 1.2). */
export function relatedPersons(filed: readonly FiledPerson[]): FormD["relatedPersons"] {
	const persons: FormD["relatedPersons"] = [];
	for (const person of filed.slice(0, maxPersons)) {
		const name = personName(person);
		if (name === null) continue;
		persons.push({
			name,
			relationships: person.relationships
				.map((relationship) => shortText(relationship))
				.filter((one) => one !== null)
				.slice(),
			city: shortText(person.city),
			state: shortText(person.state, 20),
		});
	}
	// Without the room that a growing array keeps in reserve: a data set holds half a million persons.
	return persons.slice();
}

/** First, middle and last name in this order, but a legal form filed as the first name goes to the end. */
function personName({ first, middle, last }: FiledPerson): string | null {
	const given = part(first);
	const family = part(last);
	// "NA" is a name of people too: it is a placeholder only beside a company's.
	const filler = given?.toUpperCase() === "NA" && family !== null && endsLegally(family);
	const parts = [filler ? null : given, part(middle), family].filter((one) => one !== null);
	if (given !== null && family !== null && legalSuffix.test(given)) {
		parts.shift();
		parts.push(given);
	}
	return parts.length === 0 ? null : parts.join(" ");
}

function part(value: string | null): string | null {
	const name = shortText(value, 150);
	return name === null || placeholder.test(name) || !/[\p{L}\p{N}]/u.test(name) ? null : name;
}

function endsLegally(name: string): boolean {
	return legalSuffix.test(name.split(/[\s,]+/).at(-1) ?? "");
}
