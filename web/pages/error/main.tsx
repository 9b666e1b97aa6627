/** The error page: adds a search to the text that the gateway wrote. */
import "../../style/base.css";
import "../../style/list.css";
import "../../style/search.css";
import { render } from "preact";
import { SearchBox } from "../../lib/requests/search-box.tsx";

const root = document.getElementById("search");
if (root) render(<SearchBox />, root);
