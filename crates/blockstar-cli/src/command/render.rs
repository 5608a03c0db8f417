//! `blockstar render`: pictures of maps, and of several planners' paths on one map.

use super::route::title;
use crate::map_file::{self, LoadedMap, MapOptions};
use crate::question::{Place, QuestionOptions, Recording, Turn, ask, expanded_text};
use crate::{Outcome, argument, output};
use blockstar::{PlannerSpec, Status};
use blockstar_draw::{Colour, PictureFormat, Route, Scene};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw maps as pictures, with the paths of planners over them
#[derive(clap::Args)]
pub struct Arguments {
    /// The maps: .map, .txt, .png, .pgm, .bmp, .jpg or .yaml; heights: .hgt, .asc, or .csv and
    /// pictures with --as heights; `-` is standard input
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// The picture to write: .png or .svg; for several maps it must contain {name}, which becomes
    /// each map's name without folder and extension
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Draw the paths of these planners, separated by commas
    #[arg(
        long,
        value_name = "PLANNER,...",
        value_delimiter = ',',
        requires = "from",
        requires = "to"
    )]
    route: Vec<String>,

    /// Where to start, as in `route`
    #[arg(long, value_name = "X,Y", requires = "route", allow_hyphen_values = true)]
    from: Option<Place>,

    /// Where to go, as in `route`
    #[arg(long, value_name = "X,Y", requires = "route", allow_hyphen_values = true)]
    to: Option<Place>,

    #[command(flatten)]
    question: QuestionOptions,

    #[command(flatten)]
    options: MapOptions,
}

impl Arguments {
    /// Runs the command. The exit code is 1 if one of the planners finds no path.
    pub fn run(self) -> Outcome {
        let kind = PictureFormat::of(&self.output)?;
        let template = self.output.to_string_lossy();
        if self.maps.len() > 1 && !template.contains("{name}") {
            return Err(format!(
                "{} maps cannot be drawn to one file {template}: put {{name}} into its name",
                self.maps.len()
            )
            .into());
        }
        let planners: Vec<PlannerSpec> =
            self.route.iter().map(|name| argument::planner(name)).collect::<Result<_, _>>()?;
        let mut code = ExitCode::SUCCESS;
        let mut text = String::new();
        for path in &self.maps {
            let map = map_file::load(path, &self.options)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let file = if template.contains("{name}") {
                PathBuf::from(template.replace("{name}", &name))
            } else {
                self.output.clone()
            };
            let (scene, missing) = self.scene(&map, &planners)?;
            if missing > 0 {
                code = ExitCode::FAILURE;
            }
            output::write_picture(kind, &scene, &file)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", file.display());
            for route in &scene.routes {
                let _ = writeln!(text, "  {}", route.label);
            }
        }
        output::print(&text)?;
        Ok(code)
    }

    /// The picture of one map, and how many planners found no path.
    fn scene<'a>(
        &self,
        map: &'a LoadedMap,
        planners: &[PlannerSpec],
    ) -> Result<(Scene<'a>, usize), Box<dyn Error>> {
        let grid = &map.grid;
        let moves = self.question.moves_on(map)?;
        let drawn_moves = (!planners.is_empty()).then_some(moves);
        let mut scene = Scene {
            grid,
            title: title(&map.path, grid, drawn_moves),
            expanded: &[],
            all_expanded: true,
            routes: Vec::new(),
            ends: None,
        };
        let (Some(from), Some(to)) = (self.from, self.to) else { return Ok((scene, 0)) };
        let query = self.question.query(grid, from, to)?;
        scene.ends = Some((query.start(), query.goal()));
        let mut missing = 0;
        for (number, spec) in planners.iter().enumerate() {
            let answer = ask(grid, spec.clone(), moves, &query, Recording::Off, Turn::First)?;
            let what = match answer.status {
                Status::Found => format!("cost {:.2}", answer.path.cost()),
                Status::Nearest => format!("to the nearest cell  cost {:.2}", answer.path.cost()),
                Status::LimitReached => "limit reached".into(),
                _ => "no path".into(),
            };
            missing += usize::from(!answer.status.has_path());
            scene.routes.push(Route {
                points: answer.path.points().to_vec(),
                colour: Colour::route(number),
                label: format!("{spec}  {what}  {}", expanded_text(spec, &answer.stats)),
            });
        }
        Ok((scene, missing))
    }
}
