/** SQL over all databases: what there is to ask for, an editor, and the result as table, chart or map. */
import "../../style/base.css";
import "./sql.css";
import { render } from "preact";
import { Workbench } from "./workbench.tsx";

const root = document.getElementById("page");
if (root) render(<Workbench />, root);
