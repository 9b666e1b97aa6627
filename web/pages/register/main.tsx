/** The style sheet of the pages on which a person gets a key: they are made by the gateway, and their policy allows no script. */
import "../../style/base.css";
import "./register.css";
