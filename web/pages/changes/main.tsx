/** The feed of changes, what came and left by day and region, and what became of the requests of an earlier day. */
import "../../style/base.css";
import "../../style/chips.css";
import "../../style/list.css";
import "./changes.css";
import { render } from "preact";
import { useState } from "preact/hooks";
import { Calendar } from "./calendar.tsx";
import { Feed } from "./feed.tsx";
import { FilterForm } from "./filter-form.tsx";
import { dayOf, type Filters, readFilters, summedDays, writeFilters } from "./filters.ts";
import { Newest } from "./newest.tsx";
import { Summary } from "./summary.tsx";
import { Transitions } from "./transitions.tsx";

function Changes() {
	const [filters, setFilters] = useState(() => readFilters(location.search));
	const choose = (chosen: Filters) => {
		history.replaceState(null, "", `${location.pathname}${writeFilters(chosen)}`);
		setFilters(chosen);
	};
	const { region } = filters.further;
	return (
		<>
			<FilterForm filters={filters} choose={choose} />
			<Newest filters={filters} choose={choose} />
			<Calendar
				region={region}
				last={summedDays(filters).as_of}
				day={dayOf(filters)}
				choose={(day) => choose({ ...filters, since: day, until: day })}
			/>
			<Summary filters={filters} />
			<Feed filters={filters} />
			<Transitions filters={filters} choose={choose} />
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Changes />, root);
