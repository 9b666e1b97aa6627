import { useEffect, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { readValues } from "../../lib/api/all-pages.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { CheckBox, Choice } from "../../lib/elements/fields.tsx";
import { FilterChips, FilterSelect } from "../../lib/requests/filter-controls.tsx";
import type { FilterName, Filters } from "../../lib/requests/filters.ts";
import { countyText } from "../../lib/requests/search-box.tsx";
import { counted, safeText } from "../../lib/text/format.ts";
import { splitValues, toggleValue } from "./view.ts";

const statuses = ["Active", "Operational", "Suspended", "Withdrawn", "Unknown"];

interface FilterFormProps {
	filters: Filters;
	/** Results of a search for the typed text. */
	search: Reply<"search"> | undefined;
	/** Whether a past day is shown; past days cannot be filtered by score. */
	isPast: boolean;
	choose(filters: Filters): void;
}

const fields = [
	...(["q", "status", "region", "fuel_type", "state", "capacity_min", "capacity_max", "date_from", "date_to"] as const),
	...(["min_score", "include_unlisted"] as const),
	// The map shows drawn shapes, and has a button that removes them.
	...(["near", "lat", "lon", "radius_km", "polygon"] as const),
];

const debounceMs = 350;

export function FilterForm({ filters, search, isPast, choose }: FilterFormProps) {
	const known = useKnownValues();
	const set = (name: FilterName, value: string | undefined) => {
		const { [name]: _, ...others } = filters;
		choose(value ? { ...others, [name]: value } : others);
	};
	const text = (name: FilterName, label: string, type: TextType, more: object = {}) => (
		<TextFilter label={label} type={type} value={filters[name] ?? ""} set={(value) => set(name, value)} {...more} />
	);
	const boxes = (name: FilterName, legend: string, values: string[]) => (
		<fieldset>
			<legend>{legend}</legend>
			{values.map((value) => (
				<CheckBox
					key={value}
					label={value}
					value={splitValues(filters[name]).includes(value)}
					set={() => set(name, toggleValue(filters[name], value))}
				/>
			))}
		</fieldset>
	);
	return (
		<form class="explore-filters" onSubmit={(event) => event.preventDefault()}>
			{text("q", "Name, number, developer or substation", "search", { minLength: 2, maxLength: 200 })}
			{search && <Meanings search={search} filters={filters} choose={choose} />}
			{boxes("status", "Status", statuses)}
			{boxes("region", "Grid operator", known.regions)}
			<FilterSelect
				{...{ label: "Technology", values: known.technologies, chosen: filters.fuel_type }}
				choose={(value) => set("fuel_type", value)}
			/>
			<FilterSelect
				{...{ label: "State", values: known.states, chosen: filters.state }}
				choose={(value) => set("state", value)}
			/>
			<Near filters={filters} choose={choose} />
			<div class="pair">
				{text("capacity_min", "From MW", "number", { step: "any" })}
				{text("capacity_max", "To MW", "number", { step: "any" })}
			</div>
			{Number(filters.capacity_min) > Number(filters.capacity_max) && (
				<p class="failure">No request matches: “From MW” is greater than “To MW”.</p>
			)}
			{text("date_from", "Queued from", "date")}
			{text("date_to", "Queued to", "date")}
			{!isPast && text("min_score", "Score of at least", "number", { min: 0, max: 100, step: 1 })}
			<CheckBox
				label="Include requests missing from the newest lists"
				value={filters.include_unlisted === "true"}
				set={(isSet) => set("include_unlisted", isSet ? "true" : undefined)}
			/>
			<FilterChips filters={filters} except={fields} drop={(name) => set(name, undefined)} />
			<button type="button" class="plain" disabled={Object.keys(filters).length === 0} onClick={() => choose({})}>
				Clear all filters
			</button>
		</form>
	);
}

const kmPerUnit = { mi: 1.609344, km: 1 };
type Unit = keyof typeof kmPerUnit;
const defaultMiles = "50";

/** Fields for a circle around a county's center. The radius also applies to a circle drawn on the map. */
function Near({ filters, choose }: Pick<FilterFormProps, "filters" | "choose">) {
	const [unit, setUnit] = useState<Unit>("mi");
	const { near, radius_km, lat, lon, ...others } = filters;
	const toKm = (radius: string) => String(Number((Number(radius) * kmPerUnit[unit]).toFixed(2)));
	const radius = radius_km === undefined ? "" : String(Number((Number(radius_km) / kmPerUnit[unit]).toFixed(1)));
	const isCircle = near !== undefined || lat !== undefined;
	return (
		<>
			<TextFilter
				{...{ label: "Near (county, state)", type: "text", value: near ?? "", placeholder: "Midland, TX" }}
				{...{ pattern: ".+[, ] *[A-Za-z]{2,}", maxLength: 200 }}
				set={(value) =>
					choose(value === "" ? others : { ...others, near: value, radius_km: radius_km ?? toKm(defaultMiles) })
				}
			/>
			{isCircle && (
				<div class="pair">
					<TextFilter
						{...{
							label: "Within",
							type: "number",
							value: radius,
							min: 0.1,
							max: unit === "mi" ? 1_242 : 2_000,
							step: "any",
						}}
						set={(value) => value !== "" && choose({ ...filters, radius_km: toKm(value) })}
					/>
					<Choice
						{...{ label: "Unit", value: unit, set: (value) => setUnit(value as Unit) }}
						options={[
							["mi", "miles"],
							["km", "km"],
						]}
					/>
				</div>
			)}
		</>
	);
}

const maxMeanings = 3;
/** Minimum `match_score` of a name that begins with the text. */
const minPrefixScore = 0.9;

/** Shows the corrected text, and offers filters for the county, developer or point of interconnection that the text names. */
function Meanings({
	search,
	filters,
	choose,
}: Pick<FilterFormProps, "filters" | "choose"> & { search: Reply<"search"> }) {
	const { q: _, ...others } = filters;
	const named = search.results.flatMap((hit) => {
		if (hit.kind === "project" || hit.project_count === 0) return [];
		// Requests of developers whose names only contain the text are found by the text filter anyway.
		if (hit.kind === "developer" && hit.match_score < minPrefixScore) return [];
		if (hit.kind === "developer") return { ...hit, filter: { developer_id: String(hit.developer_id) } };
		if (hit.kind === "poi") return { ...hit, filter: { poi_id: hit.poi_id } };
		return hit.fips !== null ? { ...hit, filter: { fips: hit.fips } } : [];
	});
	return (
		<>
			{search.corrected !== undefined && (
				<p class="soft" role="status">
					Nothing contains “{safeText(search.query, 80)}”. Showing <b>{safeText(search.corrected, 80)}</b>.
				</p>
			)}
			{named.slice(0, maxMeanings).map((hit) => (
				<button
					key={JSON.stringify(hit.filter)}
					type="button"
					class="plain"
					onClick={() => choose({ ...others, ...hit.filter })}
				>
					{kindTexts[hit.kind]} {safeText(hit.kind === "county" ? countyText(hit) : hit.name, 60)}:{" "}
					{counted(hit.project_count, "request")}
				</button>
			))}
		</>
	);
}

const kindTexts = { developer: "Developer", poi: "Point", county: "County" };

type TextType = "search" | "text" | "number" | "date";

interface TextFilterProps {
	label: string;
	type: TextType;
	value: string;
	set(value: string): void;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	placeholder?: string;
	min?: number;
	max?: number;
	step?: number | string;
}

/** A text field that sets the filter to a valid text when the reader stops typing. */
function TextFilter({ label, value, set, ...attributes }: TextFilterProps) {
	// Preact's attribute types allow only certain combinations.
	const more: object = attributes;
	const untouched = { text: value, isValid: true, value };
	const [typed, setTyped] = useState(untouched);
	// If the value changes from outside, it replaces the typed text at once; the effect then deletes that text.
	const { text, isValid } = typed.value === value ? typed : untouched;
	useEffect(() => setTyped((last) => (last.value === value ? last : untouched)), [value]);
	const latestSet = useRef(set);
	latestSet.current = set;
	useEffect(() => {
		if (!isValid || text.trim() === value) return;
		const timer = setTimeout(() => latestSet.current(text.trim()), debounceMs);
		return () => clearTimeout(timer);
	}, [text, isValid, value]);
	return (
		<label>
			{label}
			<input
				{...more}
				autocomplete="off"
				value={text}
				onInput={({ currentTarget }) =>
					setTyped({ text: currentTarget.value, isValid: currentTarget.validity.valid, value })
				}
			/>
		</label>
	);
}

/** Reads the operators, technologies and states that occur in requests. */
function useKnownValues() {
	const state = useRead("values", (signal) =>
		Promise.all((["region", "technology", "state"] as const).map((by) => readValues(by, signal))),
	);
	const [regions = [], technologies = [], states = []] = state.data ?? [];
	return { regions: regions.toSorted(), technologies, states: states.toSorted() };
}
