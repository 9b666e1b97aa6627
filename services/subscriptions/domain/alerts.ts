/** Messages as plain text for people. Control characters and direction marks are removed from filed texts. Pure. */
import { changeFacts, changeLink, changeTitle, type WatchedChange } from "#libs/contract/documents/change-sentence.ts";
import { counted, labelOf, safeText } from "#libs/contract/documents/text.ts";
import type { reachedUsage } from "#libs/contract/operations/access/billing-fields.ts";
import type { ChangesData } from "#libs/contract/operations/subscriptions/webhook-messages.ts";

interface Item {
	title: string;
	detail: string;
	/** Page about the request; undefined if the address of the service is unknown. */
	link: string | undefined;
}

export interface Alert {
	title: string;
	summary: string;
	items: Item[];
	/** Counted changes without an item. */
	omitted: number;
	/** Page with all changes. */
	moreLink: string | undefined;
}

/** @param site address of the service, for links */
export function toAlert({ type, data }: { type: string; data: object }, site: string | undefined): Alert {
	const alert = (title: string, more: Partial<Alert> = {}): Alert => ({
		...{ title, summary: "", items: [], omitted: 0, moreLink: site && `${site}/changes` },
		...more,
	});
	const itemOf = (change: WatchedChange): Item => ({
		title: changeTitle(change),
		detail: safeText(changeFacts(change), 300),
		link: site && changeLink(change, site),
	});
	if (type === "webhook.test") return alert("This is a test", { summary: "Alerts will arrive here." });
	const [, event] = /^(?:change|watchlist)\.(recorded|entered|left)$/.exec(type) ?? [];
	if (event !== undefined) {
		const change = { ...data, ...(event !== "recorded" && { event }) } as WatchedChange;
		return alert(changeTitle(change), { items: [itemOf(change)] });
	}
	if (type === "usage.reached") {
		const { share, used, monthly_queries, month } = data as Record<keyof typeof reachedUsage, string | number>;
		const title = `${Math.round(100 * Number(share))} % of the queries of ${month} are used`;
		return alert(title, { summary: `${used} of ${monthly_queries}`, moreLink: undefined });
	}
	if ("rows" in data) {
		const {
			total,
			rows,
			rows_left_out: omitted,
			...counts
		} = data as ChangesData & { from_day?: string; day?: string };
		const [firstRow] = rows;
		const { from_day = counts.day, day } = counts;
		const days = day === undefined ? "" : from_day === day ? ` on ${day}` : ` from ${from_day} to ${day}`;
		const title =
			total === 1 && firstRow !== undefined
				? changeTitle(firstRow) + (day === undefined ? "" : ` (${firstRow.detected_at.slice(0, 10)})`)
				: counted(total, "change") + days;
		return alert(title, { summary: summaryOf(counts), items: rows.map(itemOf), omitted });
	}
	const facts = Object.entries(data).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
	const items = facts.map(([name, value]) => ({
		...{ title: safeText(`${labelOf(name)}: ${value}`), detail: "", link: undefined },
	}));
	return alert(labelOf(type.replaceAll(".", " ")), { items });
}

function summaryOf({ by_region, entered, left }: Pick<ChangesData, "by_region" | "entered" | "left">): string {
	const regions = Object.entries(by_region).map(([region, number]) => `${region} ${number}`);
	const members = entered + left === 0 ? [] : [`${entered} entered and ${left} left the watchlist`];
	return [...regions, ...members].join(" · ");
}

/** Returns the first pieces that fit into a message of limited length. */
export function takeFitting<P>(pieces: readonly P[], lengthOf: (piece: P) => number, maxLength: number): P[] {
	let remaining = maxLength;
	const end = pieces.findIndex((piece) => {
		remaining -= lengthOf(piece);
		return remaining < 0;
	});
	return end === -1 ? [...pieces] : pieces.slice(0, end);
}
