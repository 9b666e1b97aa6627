import { type ReadState, useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { count, counted } from "../../lib/text/format.ts";
import { type CalendarDay, calendarDays, gapsOf, type ListDays, levelOf } from "./calendar-days.ts";
import { longestDays } from "./filters.ts";

interface Props {
	region: string | undefined;
	coverage: ReadState<unknown>;
	/** The days of the selected operators' lists; undefined until they are read. */
	lists: readonly ListDays[] | undefined;
	last: string | undefined;
	day: string | undefined;
	choose(day: string | undefined): void;
}

/** A calendar of the last weeks with the number of changes in each day's lists. Days without a list are hatched. */
export function Calendar({ region, coverage, lists, last, day, choose }: Props) {
	const query = { since_days: longestDays, region, as_of: last };
	const state = useOperation("summariseChanges", "/changes/summary", query, 60_000);
	const rows = lists && state.data?.by_day;
	const days = calendarDays(rows ?? [], lists ?? [], last === undefined ? new Date() : new Date(last));
	const max = Math.max(1, ...days.map((one) => one.changes));
	const gaps = gapsOf(lists ?? [], days[0]?.day ?? "", days.at(-1)?.day ?? "");
	return (
		<Section id="calendar" title="Calendar" reads={[state, coverage]}>
			<ol class="calendar" aria-label="Changes by day">
				{days.map((one) => (
					<Cell key={one.day} {...{ one, max, choose }} isKnown={rows !== undefined} isChosen={one.day === day} />
				))}
			</ol>
			<p class="soft">
				One square is a day (UTC), with Monday at the top. Hatched <i class="square no-list" />: no list was loaded.
				From no change to the most:
				{[0, 1, 2, 3, 4].map((level) => (
					<i key={level} class={`square level-${level}`} />
				))}
				{count(max)} in a day. Choose a day to see only its changes.
			</p>
			{gaps.length > 0 && (
				<p class="soft" data-gaps>
					{gaps.join(" ")} What changed on days without a list is counted on the day of the next one.
				</p>
			)}
		</Section>
	);
}

interface CellProps {
	one: CalendarDay;
	max: number;
	/** False until changes and lists have been read. */
	isKnown: boolean;
	isChosen: boolean;
	choose: Props["choose"];
}

function Cell({ one: { day, weekday, changes, hasList }, max, isKnown, isChosen, choose }: CellProps) {
	const text = isKnown ? `${day}: ${hasList ? counted(changes, "change") : "no list"}` : day;
	return (
		<li style={{ gridRowStart: weekday + 1 }}>
			<button
				type="button"
				class={`square ${hasList || !isKnown ? `level-${levelOf(changes, max)}` : "no-list"}`}
				data-day={day}
				aria-pressed={isChosen}
				aria-label={text}
				title={text}
				onClick={() => choose(isChosen ? undefined : day)}
			/>
		</li>
	);
}
