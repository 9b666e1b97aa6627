/** Lists of news, filings and offerings about a company, newest first. Each list has a title, and renders nothing if it is empty. */
import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { TitledList } from "../elements/page.tsx";
import { Table } from "../elements/table.tsx";
import { counted, dollars, labelOf, safeText } from "../text/format.ts";

interface ListProps<N extends "listDeveloperEvents" | "listMaterialEvents"> {
	title: ComponentChildren;
	rows: Reply<N>["data"];
}

/** Renders a link if the URL is http or https, and plain text otherwise: the URL comes from a feed. */
const Link = ({ url, text }: { url: string; text: string }): ComponentChildren =>
	/^https?:\/\//.test(url) ? (
		<a href={url} rel="noreferrer nofollow">
			{text}
		</a>
	) : (
		text
	);

export const NewsList = ({ title, rows }: ListProps<"listDeveloperEvents">) => (
	<TitledList
		class="hits"
		title={title}
		rows={rows}
		item={(one) => (
			<li key={`${one.url} ${one.published_at}`} data-news={one.url}>
				<span class="tag">{labelOf(one.event_type)}</span> <Link url={one.url} text={safeText(one.title)} />
				<div class="soft">
					<time dateTime={one.published_at}>{one.published_at.slice(0, 10)}</time> · {safeText(one.domain, 80)} ·
					matched “{safeText(one.matched_text, 80)}”
					{one.copies > 0 && ` · also published on ${counted(one.copies, "other page")}`}
				</div>
			</li>
		)}
	/>
);

/** Current reports (form 8-K) of issuers. */
export const FilingList = ({ title, rows }: ListProps<"listMaterialEvents">) => (
	<TitledList
		class="hits"
		title={title}
		rows={rows}
		item={(one) => (
			<li key={one.accession_number} data-filing={one.accession_number}>
				<span class="tag">{labelOf(one.event_type)}</span>{" "}
				<Link url={one.url} text={`${one.form_type} of ${safeText(one.issuer_name, 80)}`} />
				<div class="soft">
					<time dateTime={one.filing_date}>{one.filing_date}</time> ·{" "}
					{one.items.map((item) => safeText(item, 120)).join("; ")}
					{one.subsidiary_bankruptcy === true && "; the debtor is a subsidiary"}
				</div>
			</li>
		)}
	/>
);

type Raise = Pick<
	Reply<"listCapitalRaises">["data"][number],
	"filing_date" | "issuer_name" | "total_offering_amount" | "total_amount_sold" | "is_amendment" | "is_latest"
>;

/** Exempt offerings (form D). An offering and its amendments report the same money, so only one of them is counted. */
export const RaiseList = ({ title, rows }: { title: ComponentChildren; rows: readonly Raise[] }) =>
	rows.length > 0 && (
		<>
			<h3>{title}</h3>
			<Table
				scrolls="Exempt offerings"
				rows={rows}
				attributes={({ issuer_name }) => ({ "data-raise": issuer_name })}
				columns={[
					["Filed", ({ filing_date }) => filing_date, "day"],
					[
						"Issuer",
						({ issuer_name, is_amendment, is_latest }) => (
							<>
								{safeText(issuer_name, 80)}
								{is_amendment === 1 && <span class="soft"> (amendment)</span>}
								{!is_latest && <span class="soft"> (restated since)</span>}
							</>
						),
					],
					["Sold", ({ total_amount_sold: sold }) => (sold === null ? "–" : dollars(sold)), "number"],
					["Offered", ({ total_offering_amount: all }) => (all === null ? "indefinite" : dollars(all)), "number"],
				]}
			/>
		</>
	);
